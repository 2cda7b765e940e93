import { Link } from '@tanstack/react-router';
import { paths } from '../../../lib/paths.ts';
import { Note } from '../../../components/ui/note.tsx';
import { TEXT_LINK } from '../../../components/ui/text-link.ts';
import { formatCap } from '../../../lib/format/money.ts';
import type { KeyView } from '../../../lib/trpc.ts';

/** Links to the replaced and the replacing key. They share one budget. */
export function RotationNote({ view }: { view: KeyView }) {
  const { replacesKeyId, replacedBy, maxBudgetNanoUsd } = view;
  if (replacesKeyId === null && replacedBy === null) return null;
  return (
    <div className="mb-3.5">
      <Note tone="neutral">
        {replacedBy !== null && (
          <>
            Replaced by <KeyLink keyId={replacedBy}>a newer key</KeyLink>.{' '}
          </>
        )}
        {replacesKeyId !== null && (
          <>
            Replaces <KeyLink keyId={replacesKeyId}>an older key</KeyLink>.{' '}
          </>
        )}
        {maxBudgetNanoUsd !== null && `Both keys share a budget of ${formatCap(maxBudgetNanoUsd)}.`}
      </Note>
    </div>
  );
}

function KeyLink({ keyId, children }: { keyId: string; children: string }) {
  return (
    <Link to={paths.key} params={{ keyId }} className={TEXT_LINK}>
      {children}
    </Link>
  );
}
