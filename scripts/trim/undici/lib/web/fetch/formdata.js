// undici loads it before it asks `webidl` whether a body is a FormData.
