import { Chip } from '../../../components/ui/chip.tsx';
import type { OperatorReplica } from '../operator-types.ts';

/** Whether a process answers, and what is the matter with it. */
export function ReplicaState({ replica: { state, told } }: { replica: OperatorReplica }) {
  if (told === null) {
    return state === 'mute' ? <Chip tone="warn">does not answer</Chip> : <Chip tone="bad">silent</Chip>;
  }
  const { ledger, breakers } = told;
  const open = new Set(breakers.flatMap(({ state: its, routeId }) => (its === 'open' ? [routeId] : []))).size;
  return (
    <div className="grid justify-items-start gap-1">
      {told.isDraining ? <Chip tone="warn">stopping</Chip> : <Chip tone="ok">alive</Chip>}
      {!ledger.isWritable && <Chip tone="bad">ledger unwritable</Chip>}
      {ledger.isSpoolFull && <Chip tone="bad">spool full</Chip>}
      {open > 0 && <Chip tone="warn">{open === 1 ? '1 route open' : `${open} routes open`}</Chip>}
    </div>
  );
}
