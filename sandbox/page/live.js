// Loads the page again when it is older than what the sandbox has.
const { shows = '', version } = document.body.dataset
new EventSource('/page/events').addEventListener(shows, ({ data }) => {
  if (data !== version) location.reload()
})
