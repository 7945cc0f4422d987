// lib/core/request.js loads this file before it asks `webidl` whether a body is a FormData.
