import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../components/ui/button.tsx';
import { Card } from '../../components/ui/card.tsx';
import { Chip } from '../../components/ui/chip.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { TEXT_LINK } from '../../components/ui/text-link.ts';
import { useSession } from '../../lib/session.ts';
import type { TwoFactorPolicy } from '../../lib/trpc.ts';
import { returnFocusTo } from '../../lib/return-focus.ts';
import { PolicyDialog } from './policy-dialog.tsx';
import type { PolicyTarget } from './policy-target.ts';

interface PolicyCardProps {
  target: PolicyTarget;
  /** undefined while it loads. */
  policy: TwoFactorPolicy | undefined;
  /** Error message, or null if loading succeeded. */
  error: string | null;
  canChange: boolean;
  /** If true, only users with a second factor can turn it on. */
  needsOwnFactor?: boolean;
  onSet: (required: boolean) => Promise<void>;
}

/** Whether two-factor authentication is required of the members of an account, or of operators. */
export function PolicyCard(props: PolicyCardProps) {
  const { target, policy, error, canChange, needsOwnFactor = false, onSet } = props;
  const { user } = useSession();
  const lacksFactor = needsOwnFactor && policy?.required === false && user?.secondFactor.isEnrolled === false;
  const [opener, setOpener] = useState<{ element: Element | null } | null>(null);
  return (
    <Card>
      <section
        aria-label="Two-factor requirement"
        className="flex flex-wrap items-center gap-x-4 gap-y-2.5 px-3.5 py-3"
      >
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="flex items-center gap-2 font-medium">
            Two-factor requirement
            {policy !== undefined && (
              <Chip tone={policy.required ? 'ok' : 'neutral'}>{policy.required ? 'On' : 'Off'}</Chip>
            )}
          </h2>
          {policy === undefined && error === null && <Skeleton className="mt-1.5 h-3.5 w-64 max-w-full" />}
          {policy === undefined && error !== null && (
            <p className="mt-0.5 text-[13px] text-danger">{error}</p>
          )}
          {policy !== undefined && <p className="mt-0.5 text-[13px] text-ink-2">{target.describe(policy)}</p>}
        </div>
        {canChange && lacksFactor && (
          <p className="text-[13px] text-ink-2">
            To require it,{' '}
            <Link to={paths.settings} className={TEXT_LINK}>
              set up your own second factor
            </Link>{' '}
            first.
          </p>
        )}
        {canChange && policy !== undefined && !lacksFactor && (
          <Button size="sm" onClick={() => setOpener({ element: document.activeElement })}>
            {policy.required ? 'Turn off…' : 'Require two-factor…'}
          </Button>
        )}
      </section>
      {opener !== null && policy !== undefined && (
        <PolicyDialog
          target={target}
          policy={policy}
          onSet={onSet}
          onClose={() => setOpener(null)}
          onCloseAutoFocus={returnFocusTo(opener.element)}
        />
      )}
    </Card>
  );
}
