// A server or a proxy chooses HTTP/2 only if it is offered: src/service/http/http.ts turns that off
// for both.
module.exports = () => {
  throw new Error('This bundle has no HTTP/2: see scripts/trim/')
}
