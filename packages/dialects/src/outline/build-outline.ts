import { Buffer } from 'node:buffer';
import { readFile, writeFile } from 'node:fs/promises';
import { main } from 'assemblyscript/asc';

const SOURCE = new URL('../../assembly/', import.meta.url);
const PROGRAM = new URL('outline-bytes.gen.ts', import.meta.url);

// The memory is divided in layout.ts: the texts of the program are behind its tables, and before the known names.
const OPTIONS =
  '-O3 --noAssert --runtime stub --enable simd,bulk-memory --memoryBase 8704 --initialMemory 2 --outFile outline.wasm';

/** Compiles the program. The same source has the same bytes on every machine. @returns the text of `outline-bytes.gen.ts` */
export async function buildOutline(): Promise<string> {
  let program: Uint8Array | null = null;
  const { error } = await main(['outline.ts', ...OPTIONS.split(' ')], {
    readFile: (name) => readFile(new URL(name, SOURCE), 'utf8').catch(() => null),
    writeFile(_name, contents) {
      if (typeof contents !== 'string') program = contents;
    },
    listFiles: () => [],
  });
  if (error !== null || program === null) throw new Error('The program does not compile', { cause: error });
  const bytes = Buffer.from(program).toString('base64');
  return `// Written by \`npm run outline\`.\nexport const OUTLINE_BYTES =\n  '${bytes}';\n`;
}

if (import.meta.main) await writeFile(PROGRAM, await buildOutline());
