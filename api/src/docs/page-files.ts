export interface PageFile {
  name: string;
  contentType: string;
  /** True: a file of Swagger UI; false: in the folder `page`. */
  isSwaggerUi: boolean;
}

const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** The files that the page loads, all from this server. */
export const PAGE_FILES: readonly PageFile[] = [
  { name: 'swagger-ui.css', contentType: CSS, isSwaggerUi: true },
  { name: 'swagger-ui-bundle.js', contentType: SCRIPT, isSwaggerUi: true },
  { name: 'page.css', contentType: CSS, isSwaggerUi: false },
  { name: 'page.js', contentType: SCRIPT, isSwaggerUi: false },
];
