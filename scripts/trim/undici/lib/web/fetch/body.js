// undici calls it for a body that is a FormData of its own.
exports.extractBody = () => {
  throw new Error('This bundle has no FormData: see scripts/trim/')
}
