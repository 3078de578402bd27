# council as a server, or as the heartbeat that launches its agents: docs/server/deploy.md.
# Build it in a clone: npm pack && docker build --tag council .
FROM node:24-slim
COPY council-*.tgz /tmp/
RUN npm install --global /tmp/council-*.tgz && rm /tmp/council-*.tgz \
  && useradd --create-home council \
  && mkdir --parents /project /state && chown council /project /state
USER council
ENV XDG_STATE_HOME=/state
WORKDIR /project
EXPOSE 7333
HEALTHCHECK --interval=10s --start-period=10s CMD ["node", "-e", "fetch('http://127.0.0.1:7333/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["council"]
CMD ["serve", "--host", "0.0.0.0", "--json"]
