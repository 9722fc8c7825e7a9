/** Answers of the service: records of disbursements, with additional fields on request, and a refusal. */
export const crypto = (more = '', status = 'pending'): string =>
  `{"disbursementId":"d1","token":"USDT","network":"tron","amount":1.5,"status":"${status}"${more}}`;
export const fiat = (more = ''): string =>
  `{"disbursementId":"d1","currency":"IDR","amount":1.5,"status":"pending"${more}}`;
export const refusal = (statusCode: number, message = 'no'): string =>
  `{"statusCode":${statusCode},"error":"Bad Request","message":"${message}"}`;
