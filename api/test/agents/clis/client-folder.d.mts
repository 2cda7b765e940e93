export const CACHE_FOLDER: string;
export function findClientFolder(name: string, sources: URL[]): string;
