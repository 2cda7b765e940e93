import { Chip } from '../../../components/ui/chip.tsx';
import type { OperatorReplica } from '../operator-types.ts';

/** State and problems of a replica. */
export function ReplicaState({ replica: { state, report } }: { replica: OperatorReplica }) {
  if (report === null) {
    return state === 'unresponsive' ? <Chip tone="warn">not responding</Chip> : <Chip tone="bad">stale</Chip>;
  }
  const { ledger, breakers } = report;
  const open = new Set(breakers.flatMap(({ state: its, routeId }) => (its === 'open' ? [routeId] : []))).size;
  return (
    <div className="grid justify-items-start gap-1">
      {report.isDraining ? <Chip tone="warn">draining</Chip> : <Chip tone="ok">running</Chip>}
      {!ledger.isWritable && <Chip tone="bad">ledger not writable</Chip>}
      {ledger.isSpoolFull && <Chip tone="bad">spool full</Chip>}
      {open > 0 && <Chip tone="warn">{open === 1 ? '1 breaker open' : `${open} breakers open`}</Chip>}
    </div>
  );
}
