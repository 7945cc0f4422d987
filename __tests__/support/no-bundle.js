process.env.ACTION_BUNDLE = 'no-bundle/index.js'
