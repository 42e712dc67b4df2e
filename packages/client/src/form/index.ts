export type { FormContent } from "../question.js";
export { checkForm, type FormCheck, type FormIssue } from "./check-form.js";
