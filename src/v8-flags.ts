// Node warns against flags set in a running process. These save 10 of 76 MB and 10 % CPU time of a
// cold start (November 2026, Node 24.21, `npm run bench`).
import { setFlagsFromString } from 'node:v8'

// Optimizing undici's WebAssembly takes 90 ms of CPU time and 24 MB, too much for short responses.
// The first flag alone would make V8 optimize every function at once.
setFlagsFromString('--no-wasm-dynamic-tiering')
setFlagsFromString('--no-wasm-tier-up')
