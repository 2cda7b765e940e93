/** `LEDGER_ROUTING=all`: the proofs of the ledger run with everything that starts further provider calls. */
export const HAS_ALL_ROUTING = process.env.LEDGER_ROUTING === 'all';
