import { GroupCommit } from '../group-commit.ts';
import { Journal } from '../journal.ts';
import { Spool } from '../spool.ts';
import { createLog, watchStore } from './ledger-harness.ts';

/** The group commit without the ledger's input guards. */
export function openCommits(url: string, directory: string, { maxSpoolBytes = 1_000_000 } = {}) {
  const [store, log] = [watchStore(url), createLog()];
  const replicaId = 'rep_guardless';
  const spool = new Spool({ directory, replicaId, maxBytes: maxSpoolBytes, log });
  const journal = new Journal({ directory, replicaId, log });
  const commits = new GroupCommit({ store, replicaId, spool, journal, log, onCommit: () => undefined });
  const close = async () => {
    await commits.close();
    journal.close();
    await spool.close();
    await store.close();
  };
  return { commits, close, log, store, spool };
}
