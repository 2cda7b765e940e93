import { readFile, writeFile } from 'node:fs/promises';
import { main } from 'assemblyscript/asc';

const SOURCE = new URL('../../assembly/', import.meta.url);
const PROGRAM = new URL('outline.wasm', import.meta.url);

// The memory is divided in layout.ts: the texts of the program are behind its tables, and before the known names.
const OPTIONS =
  '-O3 --noAssert --runtime stub --enable simd,bulk-memory --memoryBase 8704 --initialMemory 2 --outFile outline.wasm';

/** Compiles the program of `outline.wasm`. The same source has the same bytes on every machine. */
export async function buildOutline(): Promise<Uint8Array> {
  let program: Uint8Array | null = null;
  const { error } = await main(['outline.ts', ...OPTIONS.split(' ')], {
    readFile: (name) => readFile(new URL(name, SOURCE), 'utf8').catch(() => null),
    writeFile(_name, contents) {
      if (typeof contents !== 'string') program = contents;
    },
    listFiles: () => [],
  });
  if (error !== null || program === null) throw new Error('The program does not compile', { cause: error });
  return program;
}

if (import.meta.main) await writeFile(PROGRAM, await buildOutline());
