import type { Client, ClientSetup } from '@tollgate/core/clients/client';
import type { ReactNode } from 'react';
import { CodeSample } from '../../components/ui/code-sample.tsx';
import { Step } from '../../components/ui/step.tsx';

const FIRST_NUMBER = 3;

/** The steps after the key: the client's own configuration, and how it starts. */
export function SetupSteps({ client, setup }: { client: Client; setup: ClientSetup }) {
  return listSteps(client, setup).map(({ title, content }, index) => (
    <Step key={title} number={FIRST_NUMBER + index} title={title}>
      {content}
    </Step>
  ));
}

function listSteps(client: Client, { shell, file, code, needsBoth, run }: ClientSetup) {
  const steps: { title: string; content: ReactNode }[] = [];
  if (shell !== null || file !== null)
    steps.push({
      title: client.kind === 'shell' ? 'Send a request' : 'Set the address',
      content: (
        <>
          {shell !== null && (
            <>
              {client.kind !== 'shell' && <p>In the same shell:</p>}
              <CodeSample label="Shell" code={shell} />
            </>
          )}
          {file !== null && (
            <>
              <p>
                {shell === null ? 'Add to ' : needsBoth ? 'And add to ' : 'Or, for every shell, add to '}
                <code className="font-mono text-xs break-all">{file.path}</code>:
              </p>
              <CodeSample label={file.path} code={file.text} />
              <p className="text-[12.5px] text-ink-3">
                On the gateway&rsquo;s machine, this command writes the file:{' '}
                <code className="font-mono text-xs break-words">
                  npm run -s tollgate -- connect {client.id} --write
                </code>
              </p>
            </>
          )}
        </>
      ),
    });
  if (code !== null)
    steps.push({ title: 'Call a model', content: <CodeSample label="Code" code={code.text} /> });
  if (client.kind === 'agent')
    steps.push({ title: `Start ${client.title}`, content: <CodeSample label="Command" code={run} /> });
  return steps;
}
