import type { FoundFile, FoundFiles } from './files.ts'
import { quoted, some } from './wording.ts'

/**
 * The same without the files that are smaller than an upload method takes: they are left out as `empty`, and a line that
 * found nothing else is unmatched.
 *
 * @param minFileBytes 0 leaves everything as it is.
 */
export function leaveOutSmall(found: FoundFiles, minFileBytes: number): FoundFiles {
  const isSmall = (file: FoundFile) => file.size < minFileBytes
  const files = found.files.filter((file) => !isSmall(file))
  const small = found.files.filter(isSmall)
  const sent = new Set(files.map((file) => file.pattern))
  const lines = Map.groupBy(
    small.filter((file) => !sent.has(file.pattern)),
    (file) => file.pattern,
  )
  return {
    files,
    leftOut: [
      ...found.leftOut,
      ...small.map(({ displayPath }) => ({ displayPath, reason: 'empty' as const, why: 'is empty' })),
    ],
    unmatched: [
      ...found.unmatched,
      ...[...lines].map(([pattern, matched]) => ({
        pattern,
        // The file that the line asks for is there.
        literal: false,
        explanation: `All it matches is empty, and empty files cannot be uploaded: ${some(matched.map((file) => quoted(file.displayPath)))}.`,
      })),
    ],
  }
}
