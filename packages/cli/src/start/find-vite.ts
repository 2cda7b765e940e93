import { createRequire } from 'node:module';
import path from 'node:path';
import { CHECKOUT } from '../env.ts';

export const CONSOLE_FOLDER = path.join(CHECKOUT, 'console');

/** The JavaScript of the console's own Vite. */
export function findVite(): string {
  const manifest = createRequire(path.join(CONSOLE_FOLDER, 'package.json')).resolve('vite/package.json');
  return path.join(path.dirname(manifest), 'bin/vite.js');
}
