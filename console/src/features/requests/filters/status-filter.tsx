import { Select } from '../../../components/ui/select.tsx';

const CLASSES = [
  ['failed', 'Failed'],
  ['open', 'Under way'],
  ['2xx', '2xx answered'],
  ['4xx', '4xx refused'],
  ['5xx', '5xx failed'],
] as const;
const STATUSES = ['400', '401', '402', '403', '404', '429', '499', '500', '502', '503', '504'];

interface StatusFilterProps {
  status: string | undefined;
  onChange: (status: string | undefined) => void;
}

export function StatusFilter({ status = '', onChange }: StatusFilterProps) {
  const isListed = status === '' || STATUSES.includes(status) || CLASSES.some(([value]) => value === status);
  return (
    <Select
      aria-label="Status"
      value={status}
      onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
    >
      <option value="">Any status</option>
      {CLASSES.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
      {!isListed && <option value={status}>{status}</option>}
      {STATUSES.map((value) => (
        <option key={value} value={value}>
          {value}
        </option>
      ))}
    </Select>
  );
}
