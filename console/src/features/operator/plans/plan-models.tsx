import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Checkbox } from '../../../components/ui/checkbox.tsx';
import { FieldMessage } from '../../../components/ui/field.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { Segmented } from '../../../components/ui/segmented.tsx';
import { matchPattern } from '../../../lib/match-pattern.ts';
import { trpc } from '../../../lib/trpc.ts';

interface PlanModelsProps {
  /** null for all models, including future ones. */
  chosen: string[] | null;
  error: string | undefined;
  onChange: (chosen: string[] | null) => void;
}

const CHOICES = [
  { value: 'all', label: 'All models' },
  { value: 'some', label: 'Selected models' },
] as const;

/** Allowed models of a plan. */
export function PlanModels({ chosen, error, onChange }: PlanModelsProps) {
  const errorId = useId();
  return (
    <fieldset>
      <legend className="mb-[5px] text-[13px] font-medium">Models</legend>
      <Segmented
        label="Models"
        aria-describedby={error === undefined ? undefined : errorId}
        value={chosen === null ? 'all' : 'some'}
        options={CHOICES}
        onValueChange={(next) => onChange(next === 'all' ? null : (chosen ?? []))}
        className="w-full *:flex-1"
      />
      {chosen !== null && <ModelList chosen={chosen} onChange={onChange} />}
      <FieldMessage id={errorId} error={error} />
    </fieldset>
  );
}

function ModelList({ chosen, onChange }: { chosen: string[]; onChange: (chosen: string[]) => void }) {
  const [search, setSearch] = useState('');
  const models = useQuery(trpc.operator.models.list.queryOptions());
  // Removed models stay listed, so they can be deselected.
  const known = new Set([...(models.data?.models.map(({ id }) => id) ?? []), ...chosen]);
  const pattern = matchPattern(models.data?.models ?? [], search);
  const shown =
    pattern === null
      ? [...known].filter((id) => id.toLowerCase().includes(search.trim().toLowerCase()))
      : [pattern.option.id, ...pattern.models.map(({ id }) => id)];
  const toggle = (id: string, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, id] : chosen.filter((other) => other !== id));
  return (
    <div className="mt-2 rounded-lg border">
      <Input
        type="search"
        aria-label="Search models"
        placeholder="Search, or a pattern such as claude-*"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        className="rounded-b-none border-0 border-b border-line hover:border-line"
      />
      {/* Keyboard users scroll this list by its checkboxes. */}
      <div className="grid max-h-48 gap-1.5 overflow-y-auto p-2.5">
        {shown.map((id) => (
          <Checkbox
            key={id}
            label={id}
            checked={chosen.includes(id)}
            onCheckedChange={(isChosen) => toggle(id, isChosen)}
          />
        ))}
        {shown.length === 0 && <p className="text-[13px] text-ink-2">No matching models.</p>}
      </div>
    </div>
  );
}
