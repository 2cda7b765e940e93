import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const ROOT = import.meta.dirname;

/** Lets the built code find the files that it reads, and the programs of its threads, in the folders of their sources. */
function keepFolders(): Plugin {
  let folder = '';
  return {
    name: 'keep-folders',
    enforce: 'pre',
    configResolved: ({ root, build }) => void (folder = path.resolve(root, build.outDir)),
    transform(code, id) {
      if (!id.startsWith(ROOT) || id.includes('/node_modules/') || !code.includes('import.meta.'))
        return null;
      const source = path.relative(folder, id).split(path.sep).join('/');
      return code
        .replaceAll('import.meta.url', `new URL(${JSON.stringify(source)}, import.meta.url).href`)
        .replaceAll(
          'import.meta.dirname',
          `(import.meta.dirname + ${JSON.stringify(`/${path.posix.dirname(source)}`)})`,
        );
    },
  };
}

/** The api in a few files. Node loads them in a fraction of the time and memory that 1,700 modules need. */
export default defineConfig({
  root: path.join(ROOT, 'api'),
  plugins: [keepFolders()],
  // It looks for its native addon from its own folder.
  ssr: { noExternal: true, external: ['ws'] },
  build: {
    ssr: 'src/main.ts',
    target: 'node24',
    minify: false,
    rolldownOptions: {
      output: {
        entryFileNames: 'main.mjs',
        chunkFileNames: '[name]-[hash].mjs',
        // V8 keeps the text of the code: two bytes for each character if one of them is not ASCII.
        charset: 'ascii',
        comments: false,
      },
    },
  },
});
