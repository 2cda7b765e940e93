import path from 'node:path';

/** Folder of Node's compile cache, also used by `npm start`, so that programs of this checkout start faster. */
export const COMPILE_CACHE = path.resolve(import.meta.dirname, '../../../node_modules/.cache/tollgate');
