import { fail, ok, type Check } from './check.ts';

const OLDEST_NODE = 24;

export function checkNode(): Check {
  const found = `${process.versions.node} on ${process.platform}-${process.arch}`;
  return Number(process.versions.node.split('.')[0]) >= OLDEST_NODE
    ? ok('Node', found)
    : fail('Node', found, `run \`npm run -s tollgate -- doctor\`, which installs Node ${OLDEST_NODE}`);
}
