import { useNavigate, useSearch } from '@tanstack/react-router';
import { paths } from '../../../lib/paths.ts';
import { SearchField } from '../../../components/ui/search-field.tsx';

/** Account or payer filter of both tabs, kept in the URL. */
export function PayerSearch() {
  const { q = '' } = useSearch({ from: '/app/operator/payments' });
  const navigate = useNavigate({ from: paths.operatorPayments });
  return (
    <SearchField
      label="Search by account or payer"
      placeholder="Account, email or ID"
      value={q}
      onSearch={(search) =>
        void navigate({
          search: (current) => ({ ...current, q: search === '' ? undefined : search }),
          replace: true,
        })
      }
    />
  );
}
