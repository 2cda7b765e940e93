import { ERROR_TABLE } from '@tollgate/core/errors/errors';
import { useState } from 'react';
import { OptionPicker } from '../../../components/ui/option-picker.tsx';

const CLASSES = [
  { value: 'failed', label: 'Failed' },
  { value: 'open', label: 'In progress' },
  { value: '2xx', label: '2xx success' },
  { value: '4xx', label: '4xx rejected' },
  { value: '5xx', label: '5xx error' },
];
/** Statuses of the gateway, and 499 for client disconnects. Providers may return others. */
const STATUSES = [...new Set([200, 499, ...Object.values(ERROR_TABLE).map(({ status }) => status)])]
  .toSorted((a, b) => a - b)
  .map((status) => ({ value: String(status), label: String(status) }));
const KNOWN = [...CLASSES, ...STATUSES];

interface StatusFilterProps {
  status: string | undefined;
  onChange: (status: string | undefined) => void;
}

/** Filters by status class or exact status. Statuses that are not listed can be typed. */
export function StatusFilter({ status, onChange }: StatusFilterProps) {
  const [search, setSearch] = useState('');
  const typed = search.trim().toLowerCase();
  const options = KNOWN.filter(({ label }) => label.toLowerCase().includes(typed));
  if (/^[1-5]\d\d$/.test(typed) && !options.some(({ value }) => value === typed))
    options.push({ value: typed, label: `${typed} exactly` });
  return (
    <OptionPicker
      name="Status"
      placeholder="Class or number"
      chosen={status === undefined ? null : (KNOWN.find(({ value }) => value === status)?.label ?? status)}
      search={search}
      onSearch={setSearch}
      options={options}
      empty="Enter a status such as 429"
      onChoose={onChange}
      onClear={() => onChange(undefined)}
    />
  );
}
