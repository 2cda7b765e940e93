import type { KeyScopeField } from '@tollgate/core/keys/key-scope';
import { Chip } from '../../components/ui/chip.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '../../components/ui/popover.tsx';
import { formatLimit } from '../../lib/format/count.ts';
import type { KeyRow } from '../../lib/trpc.ts';

const SHOWN = 2;

/** The limits of a row; other cells show the name, the models, the budget and the expiry. Empty: no limit. */
const LIMITS: Record<
  Exclude<KeyScopeField, 'name' | 'allowedModels' | 'maxBudgetUsd' | 'expiresAt'>,
  (row: KeyRow) => string
> = {
  rpm: ({ rpm }) => (rpm === null ? '' : `${formatLimit(rpm)} RPM`),
  tpm: ({ tpm }) => (tpm === null ? '' : `${formatLimit(tpm)} TPM`),
};

export function ScopeCell({ row }: { row: KeyRow }) {
  const models = row.allowedModels;
  return (
    <>
      <div className="flex flex-wrap items-center gap-1">
        {models === null && <Chip>All models</Chip>}
        {models?.slice(0, SHOWN).map((model) => (
          <Chip key={model} title={model} className="max-w-44">
            <span className="truncate">{model}</span>
          </Chip>
        ))}
        {models !== null && models.length > SHOWN && <MoreModels keyName={row.name} models={models} />}
      </div>
      <div className="mt-[3px] text-[12.5px] text-ink-2">{describeLimits(row)}</div>
    </>
  );
}

/** `600 RPM · 400k TPM`. Limits that are not set are omitted. */
function describeLimits(row: KeyRow): string {
  const limits = Object.values(LIMITS)
    .map((describe) => describe(row))
    .filter((limit) => limit !== '');
  return limits.length === 0 ? 'No rate limit' : limits.join(' · ');
}

function MoreModels({ keyName, models }: { keyName: string; models: string[] }) {
  return (
    <Popover>
      <PopoverTrigger
        aria-label={`All ${models.length} models of ${keyName}`}
        className="relative inline-flex h-5 items-center rounded-[5px] bg-sunken px-[7px] text-xs text-ink-2 after:absolute after:-inset-1.5 hover:text-ink"
      >
        +{models.length - SHOWN}
      </PopoverTrigger>
      <PopoverContent align="start" className="w-64">
        <p className="mb-2 text-xs text-ink-3">Allowed models</p>
        <ul className="flex flex-wrap gap-1">
          {models.map((model) => (
            <li key={model} className="max-w-full">
              <Chip className="h-auto min-h-5 break-all whitespace-normal">{model}</Chip>
            </li>
          ))}
        </ul>
      </PopoverContent>
    </Popover>
  );
}
