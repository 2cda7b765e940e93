import { useNavigate } from '@tanstack/react-router';
import { FlaskConical } from 'lucide-react';
import { Button } from '../../../components/ui/button.tsx';
import { CopyButton } from '../../../components/ui/copy-button.tsx';
import { paths } from '../../../lib/paths.ts';
import { useSession } from '../../../lib/session.ts';
import type { KeptBodies } from '../../../lib/trpc.ts';
import { changePlayground, nextTurnId, stopAnswers } from '../../playground/playground-store.ts';
import { readLoggedRequest } from '../../playground/read-logged-request.ts';
import { renderCurl } from './render-curl.ts';

interface AgainButtonsProps {
  accountId: string;
  endpoint: string;
  /** As it was logged. */
  request: NonNullable<KeptBodies['kept']>['request'];
}

/** Sends a logged request again, from a shell or in the playground. */
export function AgainButtons({ accountId, endpoint, request }: AgainButtonsProps) {
  const { publicApiUrl } = useSession().installation;
  const navigate = useNavigate();
  if (request.isTruncated || request.text === '') return null;
  const body = request.text;
  const open = () => {
    const logged = readLoggedRequest({ endpoint, body }, nextTurnId);
    if (logged === null) return;
    stopAnswers(accountId);
    changePlayground(accountId, logged.state);
    void navigate({ to: paths.playground, search: logged.search });
  };
  const canOpen = readLoggedRequest({ endpoint, body }, () => 0) !== null;
  return (
    <div className="flex flex-wrap gap-2">
      <CopyButton
        size="sm"
        text={renderCurl({ baseUrl: publicApiUrl, endpoint, body })}
        label="Copy as curl"
      />
      {canOpen && (
        <Button size="sm" onClick={open}>
          <FlaskConical aria-hidden className="size-[15px]" />
          Open in playground
        </Button>
      )}
    </div>
  );
}
