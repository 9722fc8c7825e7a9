export interface ServiceAnswer {
  readonly status: number;
  /** An object is sent as JSON, bytes unchanged. */
  readonly body: object | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The service's answer to a successful request. */
export const ok = (data: unknown, message = 'OK'): ServiceAnswer => ({
  status: 200,
  body: { statusCode: 200, message, data },
});

export const error = (statusCode: number, message: string): ServiceAnswer => ({
  status: statusCode,
  body: { statusCode, error: statusCode === 404 ? 'Not Found' : 'Bad Request', message },
});
