/**
 * The options with which the action is started, so that this code runs before it, on its main
 * thread.
 */
export function withPreload(code: string) {
  return { nodeOptions: ['--import', `data:text/javascript,${encodeURIComponent(code)}`] }
}
