import type { KeyScopeField } from '@tollgate/core/keys/key-scope';
import type { ReactNode } from 'react';
import { Card } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { CopyButton } from '../../../components/ui/copy-button.tsx';
import { cn } from '../../../lib/cn.ts';
import { formatCap } from '../../../lib/format/money.ts';
import type { KeyView } from '../../../lib/trpc.ts';
import { Moment } from '../../../components/ui/moment.tsx';
import { TagEditor } from '../tags/tag-editor.tsx';
import { KeyLimits } from './key-limits.tsx';

interface KeyFactsProps {
  accountId: string;
  view: KeyView;
  canEdit: boolean;
  isAlive: boolean;
}

/** The scope card. Other parts of the page show the name, the rate limits and the expiry. */
const SCOPE_FACTS: Record<
  Exclude<KeyScopeField, 'name' | 'rpm' | 'tpm' | 'expiresAt'>,
  { name: string; show: (view: KeyView) => ReactNode }
> = {
  allowedModels: { name: 'Models', show: (view) => <AllowedModels models={view.allowedModels} /> },
  maxBudgetUsd: {
    name: 'Budget',
    show: (view) => (view.maxBudgetNanoUsd === null ? 'No limit' : formatCap(view.maxBudgetNanoUsd)),
  },
};

/** The key's fixed scope, current limits and other details. */
export function KeyFacts({ accountId, view, canEdit, isAlive }: KeyFactsProps) {
  return (
    <div className="grid min-w-0 content-start gap-3.5 sm:grid-cols-2 xl:grid-cols-1">
      <Facts title="Scope">
        {Object.values(SCOPE_FACTS).map(({ name, show }) => (
          <Fact key={name} name={name}>
            {show(view)}
          </Fact>
        ))}
      </Facts>
      <KeyLimits accountId={accountId} view={view} isAlive={isAlive} />
      <Facts title="About" className="sm:col-span-2 xl:col-span-1">
        <Fact name="Tags">
          <TagEditor accountId={accountId} view={view} canEdit={canEdit} />
        </Fact>
        <Fact name="ID">
          <span className="flex items-start gap-1">
            <span className="py-1.5 font-mono text-[12.5px] break-all">{view.id}</span>
            <CopyButton text={view.id} label="Copy ID" isIconOnly variant="ghost" size="icon" />
          </span>
        </Fact>
        <Fact name="Created">
          <Moment iso={view.createdAt} />
          <span className="block break-words text-ink-2">by {view.createdBy ?? 'the command line'}</span>
        </Fact>
        <Fact name={view.replacedBy === null ? 'Expires' : 'Ends'}>
          {view.expiresAt === null ? 'Never' : <Moment iso={view.expiresAt} />}
        </Fact>
        {view.revokedAt !== null && (
          <Fact name="Revoked">
            <Moment iso={view.revokedAt} />
          </Fact>
        )}
      </Facts>
    </div>
  );
}

function Facts(props: { title: string; className?: string; children: ReactNode }) {
  return (
    <Card className={cn('min-w-0 px-4 py-3.5', props.className)}>
      <h2 className="mb-2.5 font-medium">{props.title}</h2>
      <dl className="grid grid-cols-[104px_minmax(0,1fr)] gap-y-2.5 text-[13px]">{props.children}</dl>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

function AllowedModels({ models }: { models: string[] | null }) {
  if (models === null) return 'All models of the plan';
  return (
    <ul className="flex max-h-48 flex-wrap gap-1 overflow-y-auto">
      {models.map((model) => (
        <li key={model} className="max-w-full">
          <Chip className="h-auto min-h-5 break-all whitespace-normal">{model}</Chip>
        </li>
      ))}
    </ul>
  );
}
