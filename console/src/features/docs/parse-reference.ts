import { z } from 'zod';

export interface Operation {
  /** `POST` */
  method: string;
  path: string;
  summary: string;
  description: string;
}

const METHODS = ['get', 'post'] as const;
const operationSchema = z.object({ summary: z.string().default(''), description: z.string().default('') });
const referenceSchema = z.object({
  paths: z.record(
    z.string(),
    z.object({ get: operationSchema.optional(), post: operationSchema.optional() }),
  ),
});

/** Lists the endpoints of an OpenAPI document in its order. @throws ZodError if it is invalid */
export function parseReference(json: unknown): Operation[] {
  const { paths } = referenceSchema.parse(json);
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined
        ? []
        : [
            {
              method: method.toUpperCase(),
              path,
              summary: operation.summary,
              description: operation.description.replaceAll('`', ''),
            },
          ];
    }),
  );
}
