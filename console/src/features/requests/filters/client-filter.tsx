import { CLIENTS, findClient } from '@tollgate/core/clients/clients';
import { Select } from '../../../components/ui/select.tsx';

interface ClientFilterProps {
  client: string | undefined;
  onChange: (client: string | undefined) => void;
}

/** Lists the known clients. A link can name any other family of user agents. */
export function ClientFilter({ client = '', onChange }: ClientFilterProps) {
  return (
    <Select
      aria-label="Client"
      value={client}
      onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
    >
      <option value="">Client</option>
      {client !== '' && findClient(client) === null && <option value={client}>{client}</option>}
      {CLIENTS.map(({ id, title }) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
    </Select>
  );
}
