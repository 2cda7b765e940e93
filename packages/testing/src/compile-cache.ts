import path from 'node:path';

/** Folder of Node's compile cache, also used by `npm start`: programs of this checkout start with half of the processor time. */
export const COMPILE_CACHE = path.resolve(import.meta.dirname, '../../../node_modules/.cache/tollgate');
