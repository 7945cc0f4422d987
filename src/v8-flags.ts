// Node's documentation warns against V8 flags that are set while a process runs. A flag is here only because it saves a tenth of the
// time, the CPU time or the peak memory of a row of the bench (November 2026, Node 24.21, medians of interleaved rounds).
import { setFlagsFromString } from 'node:v8'

// undici reads responses by WebAssembly. After a few responses, V8 would optimize one large function of it, on another thread for
// which the process waits before it ends. Responses are few and short, so that this never pays.
// Without the flag, a cold start takes 1.4 times as long, and one file to five channels takes 96 MB instead of 73.
setFlagsFromString('--wasm-tiering-budget=2000000000')

// What a request leaves behind is collected soon, instead of when there is much of it.
// Without the flag, 1,000 files of 10 KB take 148 MB instead of 128, and 3,000 files 241 MB instead of 155.
setFlagsFromString('--semi-space-growth-factor=1')

// V8 optimizes functions on other threads. A run ends before this pays, so functions wait for it ten times as long as by default.
// Without these flags, 300 files of 10 KB take 15 % more CPU time. A search through 100,000 files, where it pays, takes the same.
setFlagsFromString('--invocation-count-for-maglev=4000')
setFlagsFromString('--invocation-count-for-turbofan=30000')
