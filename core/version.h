/* The program's version, as artifacts, archives and the User-Agent say it. */
#ifndef CORE_VERSION_H
#define CORE_VERSION_H

#define ASSAY_VERSION "0.1.0"

#endif
