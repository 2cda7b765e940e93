import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Where `npm run dev` keeps the console's server; the built app is served by that server itself. */
const serverUrl = process.env['CONSOLE_SERVER_URL'] ?? 'http://127.0.0.1:3000';

/** The two faces that every page shows. Fetched beside the scripts instead of after the styles, no text jumps. */
const PRELOADED_FONT = /^assets\/geist(-mono)?-latin-wght-normal-.*\.woff2$/;

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
    // What the server answers by itself: procedures, payments, receipts, exports.
    proxy: Object.fromEntries(
      ['/trpc', '/dev/pay', '/receipts', '/exports', '/webhooks'].map((path) => [
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
  },
});
