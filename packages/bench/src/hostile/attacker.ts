/** The process of one attack: `node attacker.ts NAME ORIGIN SECRET`. It goes on until it is ended. */
import { ATTACKS, isAttack } from './attacks.ts';

const [name = '', origin = '', secret = ''] = process.argv.slice(2);
if (!isAttack(name)) throw new Error(`There is no attack ${name}`);
await ATTACKS[name]({ origin, secret });
