import { get } from 'react-hook-form';

/** The message at a path of a form's errors, for fields with computed names. */
export function errorMessageAt(errors: object, path: string): string | undefined {
  const found: unknown = get(errors, path);
  if (typeof found !== 'object' || found === null || !('message' in found)) return undefined;
  return typeof found.message === 'string' ? found.message : undefined;
}
