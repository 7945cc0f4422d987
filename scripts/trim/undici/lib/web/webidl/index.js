exports.webidl = { is: { FormData: () => false } }
