/** The process that sends the same valid body again and again: `node sender.ts ORIGIN SECRET CONNECTIONS FILE`. */
import { readFileSync } from 'node:fs';
import { repeatRequest } from '../hostile/repeat-request.ts';

const [origin = '', secret = '', connections = '', file = ''] = process.argv.slice(2);
await repeatRequest({ origin, secret }, Number(connections), { body: readFileSync(file) });
