import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Where `npm run dev` keeps the console's server; the built app is served by that server itself. */
const serverUrl = process.env['CONSOLE_SERVER_URL'] ?? 'http://127.0.0.1:3000';

/** The two fonts of every page. They load in parallel with the scripts, so that no text jumps. */
const PRELOADED_FONT = /^assets\/geist(-mono)?-latin-wght-normal-.*\.woff2$/;

/** What runs before any page does. */
const CORE =
  /node_modules\/(react|react-dom|scheduler|zod|@trpc|@tanstack\/(react-router|router-core|react-query|query-core|history|store|react-store))\//;
/** Menus, dialogs and what places them. */
const RADIX =
  /node_modules\/(@radix-ui|@floating-ui|react-remove-scroll|react-style-singleton|use-callback-ref|use-sidecar|aria-hidden|get-nonce)/;
const PARTS = /node_modules\/lucide-react|console\/src\/(components|lib|app)\//;

function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => PRELOADED_FONT.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: true },
            injectTo: 'head',
          })),
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), preloadFonts()],
  server: {
    host: '127.0.0.1',
    port: 5173,
    // Paths of the server: procedures, payments, receipts, statements as PDF, exports.
    proxy: Object.fromEntries(
      ['/trpc', '/dev/open', '/dev/pay', '/receipts', '/statements', '/exports', '/webhooks'].map((path) => [
        path,
        { target: serverUrl },
      ]),
    ),
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Data URLs would need a wider Content-Security-Policy.
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    rolldownOptions: {
      output: {
        // Shared code in few files: by default, each part that two pages share becomes a separate file.
        codeSplitting: {
          groups: [
            { name: 'core', test: CORE, priority: 3 },
            { name: 'radix', test: RADIX, minShareCount: 3, priority: 2 },
            { name: 'parts', test: PARTS, minShareCount: 5, priority: 1 },
          ],
        },
      },
    },
  },
});
