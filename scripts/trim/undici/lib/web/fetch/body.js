// For a body that is a FormData of undici. lib/core/request.js refuses any FormData before.
exports.extractBody = () => {
  throw new Error('This bundle has no FormData: see scripts/trim/')
}
