// Only lib/core/request.js asks this, and no body is a FormData.
exports.webidl = { is: { FormData: () => false } }
