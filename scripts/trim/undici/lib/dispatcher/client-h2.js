// A server chooses HTTP/2 only if it is offered, and `allowH2` is off.
module.exports = () => {
  throw new Error('This bundle has no HTTP/2: see scripts/trim/')
}
