import { Button } from '../../components/ui/button.tsx';
import { formatPlural } from '../../lib/format/count.ts';
import type { Selection } from './use-selection.ts';

/** Receives the focus when the confirmation closes. */
export const BULK_REVOKE_ID = 'revoke-chosen-keys';

/** Actions for all selected rows. */
export function BulkBar({ selection, onRevoke }: { selection: Selection; onRevoke: () => void }) {
  if (selection.rows.length === 0) return null;
  return (
    <section
      aria-label="Selected keys"
      className="flex flex-wrap items-center gap-2 border-b bg-accent-soft px-3 py-2 text-[13px]"
    >
      <output className="mr-auto font-medium">{formatPlural(selection.rows.length, 'key')} selected</output>
      <Button size="sm" variant="ghost" onClick={selection.clear}>
        Clear selection
      </Button>
      <Button id={BULK_REVOKE_ID} size="sm" variant="danger" onClick={onRevoke}>
        Revoke…
      </Button>
    </section>
  );
}
