/** @public Types of the module of this name. */
export const CACHE_FOLDER: string;
/** @public */
export function findClientFolder(name: string, sources: URL[]): string;
