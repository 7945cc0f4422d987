// Node's documentation warns against V8 flags that are set while a process runs. These two are here because they save a tenth of the
// CPU time and of the peak memory of several rows of the bench (November 2026, Node 24.21, medians of interleaved rounds).
import { setFlagsFromString } from 'node:v8'

// undici reads responses by WebAssembly. V8 would optimize one large function of it, on another thread, for 90 ms of CPU time and with
// 24 MB of memory. The process waits for that before it ends. Responses are short, so that this never pays.
// With the first flag alone, V8 would optimize every function at once.
// Without these two flags, a cold start takes 76 MB instead of 66 and 10 % more CPU time, 300 files of 10 KB 107 MB instead of 97 and 8 % more.
setFlagsFromString('--no-wasm-dynamic-tiering')
setFlagsFromString('--no-wasm-tier-up')
