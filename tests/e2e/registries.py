"""A stand-in for the metadata services: one TLS server that answers for all their host names by the Host
header, in the shapes they document. Answers are written here, by hand; nothing is copied from a service.

    with Registries(folder) as server:
        server.crossref["10.1000/a"] = work("10.1000/a", "A title", [("Ada", "Lovelace")], 2020)
        assay("fetch", brief, *server.options)
"""
import http.server
import json
import os
import ssl
import subprocess
import threading
import time
import urllib.parse

from nginx import free_port

HOSTS = ("api.crossref.org", "api.datacite.org", "doi.org", "export.arxiv.org", "api.openalex.org", "dblp.org",
         "openlibrary.org", "api.github.com", "pypi.org", "hn.algolia.com", "huggingface.co", "docs.example.org",
         "pages.example.org", "www.rfc-editor.org", "mirror.example.org", "raw.githubusercontent.com")


def work(doi, title, authors, year, **more):
    """A Crossref work."""
    return dict({"DOI": doi, "title": [title], "type": "journal-article",
                 "author": [{"given": g, "family": f, "sequence": "additional"} for g, f in authors],
                 "container-title": ["Journal of Tests"], "issued": {"date-parts": [[year, 3, 1]]},
                 "publisher": "Test Press", "URL": f"https://doi.org/{doi}"}, **more)


def dataset(doi, title, authors, year, **more):
    """A DataCite record."""
    return {"id": doi, "type": "dois", "attributes": dict(
        {"doi": doi, "titles": [{"title": "Un autre titre", "titleType": "TranslatedTitle"}, {"title": title}],
         "creators": [{"name": f"{f}, {g}", "givenName": g, "familyName": f} for g, f in authors],
         "publicationYear": year, "publisher": {"name": "Zenodo"}, "version": "1.2.0",
         "types": {"resourceTypeGeneral": "Dataset"}, "relatedIdentifiers": []}, **more)}


ATOM = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/"
      xmlns:arxiv="http://arxiv.org/schemas/atom">
<title>query</title><opensearch:totalResults>{total}</opensearch:totalResults>{entries}</feed>"""


def preprint(arxiv, version, title, authors, published, updated, more=""):
    """An entry of arXiv's Atom feed."""
    names = "".join(f"<author><name>{g} {f}</name></author>" for g, f in authors)
    return f"""<entry><id>http://arxiv.org/abs/{arxiv}v{version}</id><updated>{updated}</updated>
<published>{published}</published><title>{title}</title><summary>A summary
over two lines.</summary>{names}{more}</entry>"""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, body, kind="application/json", headers=()):
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        body = body if isinstance(body, bytes) else body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        host = self.headers["Host"].split(":")[0]
        url = urllib.parse.urlsplit(self.path)
        path = urllib.parse.unquote(url.path)
        query = {k: v[0] for k, v in urllib.parse.parse_qs(url.query).items()}
        server = self.server.registries
        with server.lock:
            server.seen.append({"host": host, "path": path, "query": query, "raw": self.path, "at": time.monotonic(),
                                "agent": self.headers.get("User-Agent", ""),
                                "authorization": self.headers.get("Authorization", "")})
        time.sleep(server.latency_s)
        override = server.overrides.get(host) or server.overrides.get((host, path))
        answer = override(path, query) if override else server.answer(host, path, query)
        self.reply(*answer)


class Registries:
    def __init__(self, folder, latency_s=0.0):
        self.folder, self.latency_s = folder, latency_s
        self.crossref, self.datacite, self.handles, self.arxiv = {}, {}, {}, {}
        self.retractions = {}   # DOI of a work -> number of notices
        self.openalex, self.dblp, self.books, self.github, self.packages = {}, [], {}, {}, {}
        self.pages = {}         # (host, path) -> (status, body, type)
        self.searches = {}      # host -> function(query) -> answer
        self.overrides = {}     # host or (host, path) -> function(path, query) -> answer
        self.seen, self.lock = [], threading.Lock()
        os.makedirs(folder, exist_ok=True)
        self.make_certificate()

    def openssl(self, *arguments):
        subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    def make_certificate(self):
        curve = ("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")
        for name in ("ca", "server"):
            self.openssl("genpkey", *curve, "-out", f"{name}.key")
        self.openssl("req", "-x509", "-new", "-key", "ca.key", "-subj", "/CN=Test ca", "-days", "2", "-out", "ca.crt")
        with open(os.path.join(self.folder, "server.ext"), "w", encoding="ascii") as file:
            file.write("subjectAltName=" + ",".join(f"DNS:{host}" for host in HOSTS) + "\n")
        self.openssl("req", "-new", "-key", "server.key", "-subj", "/CN=registries", "-out", "server.csr")
        self.openssl("x509", "-req", "-in", "server.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial",
                     "-extfile", "server.ext", "-out", "server.crt", "-days", "2")

    def __enter__(self):
        self.port = free_port()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{self.folder}/server.crt", f"{self.folder}/server.key")
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.server.daemon_threads = True
        self.server.registries = self
        self.server.handle_error = lambda *_: None  # a client that goes away is no news
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    @property
    def options(self):
        return ["--cacert", f"{self.folder}/ca.crt", "--connect-to", f":443:127.0.0.1:{self.port}"]

    def asked(self, host):
        return [one for one in self.seen if one["host"] == host]

    # --- what each service answers ---------------------------------------------------------------------

    def answer(self, host, path, query):
        by_host = {"api.crossref.org": self.answer_crossref, "api.datacite.org": self.answer_datacite,
                   "doi.org": self.answer_doi, "export.arxiv.org": self.answer_arxiv,
                   "api.openalex.org": self.answer_openalex, "dblp.org": self.answer_dblp,
                   "openlibrary.org": self.answer_books, "api.github.com": self.answer_github,
                   "pypi.org": self.answer_packages}
        if host in by_host:
            return by_host[host](path, query)
        if host in self.searches:
            return self.searches[host](path, query)
        return self.pages.get((host, path), (404, "<h1>Not here</h1>", "text/html"))

    def answer_crossref(self, path, query):
        if path != "/works":
            found = self.crossref.get(path[len("/works/"):].lower())
            if not found:
                return 404, "Resource not found.", "text/plain"
            return 200, {"status": "ok", "message-type": "work", "message-version": "1.0.0", "message": found}
        if "filter" not in query:
            return self.searches["api.crossref.org"](path, query)
        filters = [part.split(":", 1) for part in query["filter"].split(",")]
        if any(len(part) != 2 for part in filters):
            return 400, {"status": "failed", "message": [{"type": "filter-not-available"}]}
        dois = [value.lower() for name, value in filters if name == "doi"]
        items = [self.crossref[doi] for doi in dois if doi in self.crossref]
        total = len(items)
        if not dois:
            total = sum(self.retractions.get(value.lower(), 0) for name, value in filters if name == "updates")
        return 200, {"status": "ok", "message-type": "work-list",
                     "message": {"total-results": total, "items": items[:int(query.get("rows", 20))]}}

    def answer_datacite(self, path, query):
        if path == "/dois":
            dois = [part.strip('"') for part in query["query"][len("doi:("):-1].split(" OR ")]
            return 200, {"data": [self.datacite[d] for d in dois if d in self.datacite]}
        found = self.datacite.get(path[len("/dois/"):].lower())
        return (200, {"data": found}) if found else (404, {"errors": [{"status": "404"}]})

    def answer_doi(self, path, _):
        doi = path[len("/api/handles/"):].lower()
        known = self.handles.get(doi) or doi in self.crossref or doi in self.datacite
        if not known:
            return 404, {"responseCode": 100, "handle": doi}
        return 200, {"responseCode": 1, "handle": doi, "values": [
            {"index": 1, "type": "URL", "data": {"format": "string", "value": "https://publisher.example.org/x"}}]}

    def answer_arxiv(self, path, query):
        if "search_query" in query:
            return self.searches["export.arxiv.org"](path, query)
        ids = [one.split("v")[0] for one in query["id_list"].split(",")]
        found = [self.arxiv[one] for one in ids if one in self.arxiv][:int(query.get("max_results", 10))]
        return 200, ATOM.format(total=len(found), entries="".join(found)), "application/atom+xml"

    def answer_openalex(self, path, query):
        if path == "/works":
            return self.searches["api.openalex.org"](path, query)
        found = self.openalex.get(path[len("/works/doi:"):].lower())
        return (200, found) if found else (404, {"error": "Not found"})

    def answer_dblp(self, _, query):
        words = query["q"].lower().split()
        hits = [info for info in self.dblp if all(word in info["title"].lower() for word in words)]
        return 200, {"result": {"hits": {"@total": str(len(hits)), "hit": [{"info": info} for info in hits]}}}

    def answer_books(self, path, query):
        if path == "/api/books":
            keys = query["bibkeys"].split(",")
            return 200, {key: self.books[key[5:]] for key in keys if key[5:] in self.books}
        found = self.books.get(path[len("/isbn/"):-len(".json")])
        return (200, found) if found else (404, {"error": "notfound"})

    def answer_github(self, path, _):
        if path == "/search/repositories":
            return self.searches["api.github.com"](path, _)
        return self.github.get(path, (404, {"message": "Not Found"}))

    def answer_packages(self, path, _):
        found = self.packages.get(path)
        return (200, found) if found else (404, {"message": "Not Found"})
