// Made of the templates beside it; a test holds it to them.
module.exports = {
  'client': {"0":function(container,depth0,helpers,partials,data) {
    var stack1;

  return ((stack1 = container.lambda(depth0, depth0)) != null ? stack1 : "")
    + "\n";
},"1":function(container,depth0,helpers,partials,data) {
    var stack1, lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return "    "
    + ((stack1 = lookupProperty(helpers,"prop").call(depth0 != null ? depth0 : (container.nullContext || {}),lookupProperty(depth0,"name"),{"name":"prop","hash":{},"data":data,"loc":{"start":{"line":11,"column":4},"end":{"line":11,"column":17}}})) != null ? stack1 : "")
    + ": "
    + ((stack1 = container.lambda(container.strict(depth0, "value", {"start":{"line":11,"column":21},"end":{"line":11,"column":26}} ), depth0)) != null ? stack1 : "")
    + ",\n";
},"2":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=depth0 != null ? depth0 : (container.nullContext || {}), lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return ((stack1 = lookupProperty(helpers,"doc").call(alias1,lookupProperty(depth0,"docs"),2,{"name":"doc","hash":{},"data":data,"loc":{"start":{"line":18,"column":0},"end":{"line":18,"column":14}}})) != null ? stack1 : "")
    + "  readonly "
    + ((stack1 = lookupProperty(helpers,"prop").call(alias1,lookupProperty(depth0,"name"),{"name":"prop","hash":{},"data":data,"loc":{"start":{"line":18,"column":25},"end":{"line":18,"column":38}}})) != null ? stack1 : "")
    + ": "
    + ((stack1 = container.lambda(container.strict(depth0, "type", {"start":{"line":18,"column":42},"end":{"line":18,"column":46}} ), depth0)) != null ? stack1 : "")
    + "\n";
},"3":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=depth0 != null ? depth0 : (container.nullContext || {}), alias2=container.strict, alias3=container.lambda, lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return "\n"
    + ((stack1 = lookupProperty(helpers,"doc").call(alias1,lookupProperty(depth0,"docs"),0,{"name":"doc","hash":{},"data":data,"loc":{"start":{"line":26,"column":0},"end":{"line":26,"column":14}}})) != null ? stack1 : "")
    + "export interface "
    + ((stack1 = alias3(alias2(depth0, "type", {"start":{"line":26,"column":33},"end":{"line":26,"column":37}} ), depth0)) != null ? stack1 : "")
    + " {\n"
    + ((stack1 = lookupProperty(helpers,"each").call(alias1,lookupProperty(depth0,"members"),{"name":"each","hash":{},"fn":container.program(2, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":27,"column":0},"end":{"line":29,"column":9}}})) != null ? stack1 : "")
    + "}\n\nexport const "
    + ((stack1 = alias3(alias2(depth0, "constant", {"start":{"line":32,"column":15},"end":{"line":32,"column":23}} ), depth0)) != null ? stack1 : "")
    + " = (connection: "
    + ((stack1 = alias3(alias2(lookupProperty(data,"root"), "connection", {"start":{"line":32,"column":43},"end":{"line":32,"column":59}} ), depth0)) != null ? stack1 : "")
    + "): "
    + ((stack1 = alias3(alias2(depth0, "type", {"start":{"line":32,"column":66},"end":{"line":32,"column":70}} ), depth0)) != null ? stack1 : "")
    + " =>\n  "
    + ((stack1 = alias3(alias2(lookupProperty(data,"root"), "resource", {"start":{"line":33,"column":4},"end":{"line":33,"column":18}} ), depth0)) != null ? stack1 : "")
    + "<"
    + ((stack1 = alias3(alias2(depth0, "type", {"start":{"line":33,"column":23},"end":{"line":33,"column":27}} ), depth0)) != null ? stack1 : "")
    + ">({\n"
    + ((stack1 = lookupProperty(helpers,"each").call(alias1,lookupProperty(depth0,"members"),{"name":"each","hash":{},"fn":container.program(1, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":34,"column":0},"end":{"line":36,"column":9}}})) != null ? stack1 : "")
    + "  })\n";
},"4":function(container,depth0,helpers,partials,data) {
    var stack1, lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return "\n// What several operations take.\n"
    + ((stack1 = lookupProperty(helpers,"each").call(depth0 != null ? depth0 : (container.nullContext || {}),lookupProperty(depth0,"argumentTypes"),{"name":"each","hash":{},"fn":container.program(5, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":42,"column":0},"end":{"line":45,"column":9}}})) != null ? stack1 : "");
},"5":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=container.strict, alias2=container.lambda;

  return "\ntype "
    + ((stack1 = alias2(alias1(depth0, "name", {"start":{"line":44,"column":7},"end":{"line":44,"column":11}} ), depth0)) != null ? stack1 : "")
    + " = "
    + ((stack1 = alias2(alias1(depth0, "value", {"start":{"line":44,"column":18},"end":{"line":44,"column":23}} ), depth0)) != null ? stack1 : "")
    + "\n";
},"6":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=container.strict, alias2=container.lambda;

  return "\nexport interface "
    + ((stack1 = alias2(alias1(depth0, "name", {"start":{"line":51,"column":19},"end":{"line":51,"column":23}} ), depth0)) != null ? stack1 : "")
    + " {\n  readonly properties: "
    + ((stack1 = alias2(alias1(depth0, "properties", {"start":{"line":52,"column":25},"end":{"line":52,"column":35}} ), depth0)) != null ? stack1 : "")
    + "\n  readonly key: "
    + ((stack1 = alias2(alias1(depth0, "key", {"start":{"line":53,"column":18},"end":{"line":53,"column":21}} ), depth0)) != null ? stack1 : "")
    + "\n  readonly navigation: "
    + ((stack1 = alias2(alias1(depth0, "navigation", {"start":{"line":54,"column":25},"end":{"line":54,"column":35}} ), depth0)) != null ? stack1 : "")
    + "\n}\n";
},"7":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=container.strict, alias2=container.lambda, lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return "\n"
    + ((stack1 = lookupProperty(helpers,"doc").call(depth0 != null ? depth0 : (container.nullContext || {}),lookupProperty(depth0,"docs"),0,{"name":"doc","hash":{},"data":data,"loc":{"start":{"line":61,"column":0},"end":{"line":61,"column":14}}})) != null ? stack1 : "")
    + "export interface "
    + ((stack1 = alias2(alias1(depth0, "name", {"start":{"line":61,"column":33},"end":{"line":61,"column":37}} ), depth0)) != null ? stack1 : "")
    + " {\n  readonly options:"
    + ((stack1 = alias2(alias1(depth0, "options", {"start":{"line":62,"column":21},"end":{"line":62,"column":28}} ), depth0)) != null ? stack1 : "")
    + "\n  readonly filter:"
    + ((stack1 = alias2(alias1(depth0, "filter", {"start":{"line":63,"column":20},"end":{"line":63,"column":26}} ), depth0)) != null ? stack1 : "")
    + "\n  readonly unfilterable:"
    + ((stack1 = alias2(alias1(depth0, "unfilterable", {"start":{"line":64,"column":26},"end":{"line":64,"column":38}} ), depth0)) != null ? stack1 : "")
    + "\n  readonly through:"
    + ((stack1 = alias2(alias1(depth0, "through", {"start":{"line":65,"column":21},"end":{"line":65,"column":28}} ), depth0)) != null ? stack1 : "")
    + "\n  readonly orderby:"
    + ((stack1 = alias2(alias1(depth0, "orderby", {"start":{"line":66,"column":21},"end":{"line":66,"column":28}} ), depth0)) != null ? stack1 : "")
    + "\n  readonly expand:"
    + ((stack1 = alias2(alias1(depth0, "expand", {"start":{"line":67,"column":20},"end":{"line":67,"column":26}} ), depth0)) != null ? stack1 : "")
    + "\n  readonly search:"
    + ((stack1 = alias2(alias1(depth0, "search", {"start":{"line":68,"column":20},"end":{"line":68,"column":26}} ), depth0)) != null ? stack1 : "")
    + "\n  readonly nested:"
    + ((stack1 = alias2(alias1(depth0, "nested", {"start":{"line":69,"column":20},"end":{"line":69,"column":26}} ), depth0)) != null ? stack1 : "")
    + "\n  readonly prefer:"
    + ((stack1 = alias2(alias1(depth0, "prefer", {"start":{"line":70,"column":20},"end":{"line":70,"column":26}} ), depth0)) != null ? stack1 : "")
    + "\n}\n";
},"8":function(container,depth0,helpers,partials,data) {
    var stack1, lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return "\n// Headers that queries need.\n"
    + ((stack1 = lookupProperty(helpers,"each").call(depth0 != null ? depth0 : (container.nullContext || {}),lookupProperty(depth0,"conditions"),{"name":"each","hash":{},"fn":container.program(9, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":76,"column":0},"end":{"line":79,"column":9}}})) != null ? stack1 : "");
},"9":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=container.strict, alias2=container.lambda, lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return "\n"
    + ((stack1 = lookupProperty(helpers,"doc").call(depth0 != null ? depth0 : (container.nullContext || {}),lookupProperty(depth0,"docs"),0,{"name":"doc","hash":{},"data":data,"loc":{"start":{"line":78,"column":0},"end":{"line":78,"column":14}}})) != null ? stack1 : "")
    + "const "
    + ((stack1 = alias2(alias1(depth0, "name", {"start":{"line":78,"column":22},"end":{"line":78,"column":26}} ), depth0)) != null ? stack1 : "")
    + ": "
    + ((stack1 = alias2(alias1(lookupProperty(data,"root"), "condition", {"start":{"line":78,"column":32},"end":{"line":78,"column":47}} ), depth0)) != null ? stack1 : "")
    + " = "
    + ((stack1 = alias2(alias1(depth0, "value", {"start":{"line":78,"column":54},"end":{"line":78,"column":59}} ), depth0)) != null ? stack1 : "")
    + "\n";
},"compiler":[8,">= 4.3.0"],"main":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=container.strict, alias2=container.lambda, alias3=depth0 != null ? depth0 : (container.nullContext || {}), lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return ((stack1 = alias2(alias1(depth0, "header", {"start":{"line":1,"column":2},"end":{"line":1,"column":8}} ), depth0)) != null ? stack1 : "")
    + "\n\n"
    + ((stack1 = lookupProperty(helpers,"each").call(alias3,lookupProperty(depth0,"imports"),{"name":"each","hash":{},"fn":container.program(0, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":3,"column":0},"end":{"line":5,"column":9}}})) != null ? stack1 : "")
    + "\n"
    + ((stack1 = lookupProperty(helpers,"doc").call(alias3,lookupProperty(depth0,"createDocs"),0,{"name":"doc","hash":{},"data":data,"loc":{"start":{"line":7,"column":0},"end":{"line":7,"column":20}}})) != null ? stack1 : "")
    + "export const "
    + ((stack1 = alias2(alias1(depth0, "create", {"start":{"line":7,"column":35},"end":{"line":7,"column":41}} ), depth0)) != null ? stack1 : "")
    + " = (options: "
    + ((stack1 = alias2(alias1(depth0, "clientOptions", {"start":{"line":7,"column":58},"end":{"line":7,"column":71}} ), depth0)) != null ? stack1 : "")
    + "): "
    + ((stack1 = alias2(alias1(depth0, "service", {"start":{"line":7,"column":78},"end":{"line":7,"column":85}} ), depth0)) != null ? stack1 : "")
    + " => {\n  const connection = "
    + ((stack1 = alias2(alias1(depth0, "connect", {"start":{"line":8,"column":23},"end":{"line":8,"column":30}} ), depth0)) != null ? stack1 : "")
    + "(options)\n  return {\n"
    + ((stack1 = lookupProperty(helpers,"each").call(alias3,lookupProperty(depth0,"members"),{"name":"each","hash":{},"fn":container.program(1, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":10,"column":0},"end":{"line":12,"column":9}}})) != null ? stack1 : "")
    + "  }\n}\n\n"
    + ((stack1 = lookupProperty(helpers,"doc").call(alias3,lookupProperty(depth0,"serviceDocs"),0,{"name":"doc","hash":{},"data":data,"loc":{"start":{"line":16,"column":0},"end":{"line":16,"column":21}}})) != null ? stack1 : "")
    + "export interface "
    + ((stack1 = alias2(alias1(depth0, "service", {"start":{"line":16,"column":40},"end":{"line":16,"column":47}} ), depth0)) != null ? stack1 : "")
    + " {\n"
    + ((stack1 = lookupProperty(helpers,"each").call(alias3,lookupProperty(depth0,"members"),{"name":"each","hash":{},"fn":container.program(2, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":17,"column":0},"end":{"line":19,"column":9}}})) != null ? stack1 : "")
    + "}\n\n/** Codes of the errors that any operation may answer with. */\nexport type "
    + ((stack1 = alias2(alias1(depth0, "commonCodesType", {"start":{"line":23,"column":14},"end":{"line":23,"column":29}} ), depth0)) != null ? stack1 : "")
    + " ="
    + ((stack1 = alias2(alias1(depth0, "commonCodes", {"start":{"line":23,"column":35},"end":{"line":23,"column":46}} ), depth0)) != null ? stack1 : "")
    + "\n"
    + ((stack1 = lookupProperty(helpers,"each").call(alias3,lookupProperty(depth0,"resources"),{"name":"each","hash":{},"fn":container.program(3, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":24,"column":0},"end":{"line":38,"column":9}}})) != null ? stack1 : "")
    + ((stack1 = lookupProperty(helpers,"if").call(alias3,lookupProperty(depth0,"argumentTypes"),{"name":"if","hash":{},"fn":container.program(4, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":39,"column":0},"end":{"line":46,"column":7}}})) != null ? stack1 : "")
    + "\n// What the types hold and lead to.\n"
    + ((stack1 = lookupProperty(helpers,"each").call(alias3,lookupProperty(depth0,"shapes"),{"name":"each","hash":{},"fn":container.program(6, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":49,"column":0},"end":{"line":56,"column":9}}})) != null ? stack1 : "")
    + "\n// What the endpoints allow of the query language.\n"
    + ((stack1 = lookupProperty(helpers,"each").call(alias3,lookupProperty(depth0,"queries"),{"name":"each","hash":{},"fn":container.program(7, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":59,"column":0},"end":{"line":72,"column":9}}})) != null ? stack1 : "")
    + ((stack1 = lookupProperty(helpers,"if").call(alias3,lookupProperty(depth0,"conditions"),{"name":"if","hash":{},"fn":container.program(8, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":73,"column":0},"end":{"line":80,"column":7}}})) != null ? stack1 : "");
},"useData":true},
  'handlers': {"0":function(container,depth0,helpers,partials,data) {
    var stack1;

  return ((stack1 = container.lambda(depth0, depth0)) != null ? stack1 : "")
    + "\n";
},"compiler":[8,">= 4.3.0"],"main":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=depth0 != null ? depth0 : (container.nullContext || {}), alias2=container.strict, alias3=container.lambda, lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return ((stack1 = lookupProperty(helpers,"each").call(alias1,lookupProperty(depth0,"imports"),{"name":"each","hash":{},"fn":container.program(0, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":1,"column":0},"end":{"line":3,"column":9}}})) != null ? stack1 : "")
    + "\n"
    + ((stack1 = lookupProperty(helpers,"doc").call(alias1,lookupProperty(depth0,"docs"),0,{"name":"doc","hash":{},"data":data,"loc":{"start":{"line":5,"column":0},"end":{"line":5,"column":14}}})) != null ? stack1 : "")
    + "export const "
    + ((stack1 = alias3(alias2(depth0, "name", {"start":{"line":5,"column":29},"end":{"line":5,"column":33}} ), depth0)) != null ? stack1 : "")
    + ": "
    + ((stack1 = alias3(alias2(depth0, "type", {"start":{"line":5,"column":39},"end":{"line":5,"column":43}} ), depth0)) != null ? stack1 : "")
    + " = {\n"
    + ((stack1 = lookupProperty(helpers,"each").call(alias1,lookupProperty(depth0,"members"),{"name":"each","hash":{},"fn":container.program(0, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":6,"column":0},"end":{"line":8,"column":9}}})) != null ? stack1 : "")
    + "}\n";
},"useData":true},
  'handlers-context': {"compiler":[8,">= 4.3.0"],"main":function(container,depth0,helpers,partials,data) {
    return "/**\n * What every handler gets as `context`: a database, a logger. The option `context` of the service makes it, once a\n * request.\n */\nexport type Context = undefined\n";
},"useData":true},
  'handlers-index': {"0":function(container,depth0,helpers,partials,data) {
    var stack1, lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return "import { "
    + ((stack1 = container.lambda(container.strict(depth0, "name", {"start":{"line":4,"column":11},"end":{"line":4,"column":15}} ), depth0)) != null ? stack1 : "")
    + " } from "
    + ((stack1 = lookupProperty(helpers,"str").call(depth0 != null ? depth0 : (container.nullContext || {}),lookupProperty(depth0,"module"),{"name":"str","hash":{},"data":data,"loc":{"start":{"line":4,"column":25},"end":{"line":4,"column":39}}})) != null ? stack1 : "")
    + "\n";
},"1":function(container,depth0,helpers,partials,data) {
    var stack1;

  return "  "
    + ((stack1 = container.lambda(depth0, depth0)) != null ? stack1 : "")
    + ",\n";
},"compiler":[8,">= 4.3.0"],"main":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=container.strict, alias2=container.lambda, alias3=depth0 != null ? depth0 : (container.nullContext || {}), lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return "import type { "
    + ((stack1 = alias2(alias1(depth0, "imported", {"start":{"line":1,"column":16},"end":{"line":1,"column":24}} ), depth0)) != null ? stack1 : "")
    + " } from "
    + ((stack1 = lookupProperty(helpers,"str").call(alias3,lookupProperty(depth0,"server"),{"name":"str","hash":{},"data":data,"loc":{"start":{"line":1,"column":34},"end":{"line":1,"column":48}}})) != null ? stack1 : "")
    + "\nimport type { Context } from "
    + ((stack1 = lookupProperty(helpers,"str").call(alias3,lookupProperty(depth0,"context"),{"name":"str","hash":{},"data":data,"loc":{"start":{"line":2,"column":29},"end":{"line":2,"column":44}}})) != null ? stack1 : "")
    + "\n"
    + ((stack1 = lookupProperty(helpers,"each").call(alias3,lookupProperty(depth0,"files"),{"name":"each","hash":{},"fn":container.program(0, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":3,"column":0},"end":{"line":5,"column":9}}})) != null ? stack1 : "")
    + "\n"
    + ((stack1 = lookupProperty(helpers,"doc").call(alias3,lookupProperty(depth0,"docs"),0,{"name":"doc","hash":{},"data":data,"loc":{"start":{"line":7,"column":0},"end":{"line":7,"column":14}}})) != null ? stack1 : "")
    + "export const handlers: "
    + ((stack1 = alias2(alias1(depth0, "imported", {"start":{"line":7,"column":39},"end":{"line":7,"column":47}} ), depth0)) != null ? stack1 : "")
    + "<Context> = {\n"
    + ((stack1 = lookupProperty(helpers,"each").call(alias3,lookupProperty(depth0,"members"),{"name":"each","hash":{},"fn":container.program(1, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":8,"column":0},"end":{"line":10,"column":9}}})) != null ? stack1 : "")
    + "}\n";
},"useData":true},
  'literal-formats': {"0":function(container,depth0,helpers,partials,data) {
    var stack1;

  return ((stack1 = container.lambda(depth0, depth0)) != null ? stack1 : "")
    + "\n";
},"1":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=container.strict, alias2=container.lambda, lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return "\nexport const "
    + ((stack1 = alias2(alias1(depth0, "name", {"start":{"line":10,"column":15},"end":{"line":10,"column":19}} ), depth0)) != null ? stack1 : "")
    + ": "
    + ((stack1 = alias2(alias1(lookupProperty(data,"root"), "type", {"start":{"line":10,"column":25},"end":{"line":10,"column":35}} ), depth0)) != null ? stack1 : "")
    + " = "
    + ((stack1 = alias2(alias1(depth0, "value", {"start":{"line":10,"column":42},"end":{"line":10,"column":47}} ), depth0)) != null ? stack1 : "")
    + "\n";
},"compiler":[8,">= 4.3.0"],"main":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=depth0 != null ? depth0 : (container.nullContext || {}), lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return ((stack1 = container.lambda(container.strict(depth0, "header", {"start":{"line":1,"column":2},"end":{"line":1,"column":8}} ), depth0)) != null ? stack1 : "")
    + "\n\n"
    + ((stack1 = lookupProperty(helpers,"each").call(alias1,lookupProperty(depth0,"imports"),{"name":"each","hash":{},"fn":container.program(0, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":3,"column":0},"end":{"line":5,"column":9}}})) != null ? stack1 : "")
    + "\n// How values are written in a URL that are not written as strings.\n"
    + ((stack1 = lookupProperty(helpers,"each").call(alias1,lookupProperty(depth0,"formats"),{"name":"each","hash":{},"fn":container.program(1, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":8,"column":0},"end":{"line":11,"column":9}}})) != null ? stack1 : "");
},"useData":true},
  'server': {"0":function(container,depth0,helpers,partials,data) {
    var stack1;

  return ((stack1 = container.lambda(depth0, depth0)) != null ? stack1 : "")
    + "\n";
},"1":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=depth0 != null ? depth0 : (container.nullContext || {}), alias2=container.strict, alias3=container.lambda, lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return "\n"
    + ((stack1 = lookupProperty(helpers,"doc").call(alias1,lookupProperty(depth0,"docs"),0,{"name":"doc","hash":{},"data":data,"loc":{"start":{"line":17,"column":0},"end":{"line":17,"column":14}}})) != null ? stack1 : "")
    + "export interface "
    + ((stack1 = alias3(alias2(depth0, "name", {"start":{"line":17,"column":33},"end":{"line":17,"column":37}} ), depth0)) != null ? stack1 : "")
    + "<"
    + ((stack1 = alias3(alias2(lookupProperty(data,"root"), "context", {"start":{"line":17,"column":42},"end":{"line":17,"column":55}} ), depth0)) != null ? stack1 : "")
    + " = undefined> {\n"
    + ((stack1 = lookupProperty(helpers,"each").call(alias1,lookupProperty(depth0,"handlers"),{"name":"each","hash":{},"fn":container.program(2, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":18,"column":0},"end":{"line":20,"column":9}}})) != null ? stack1 : "")
    + ((stack1 = lookupProperty(helpers,"each").call(alias1,lookupProperty(depth0,"groups"),{"name":"each","hash":{},"fn":container.program(3, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":21,"column":0},"end":{"line":23,"column":9}}})) != null ? stack1 : "")
    + "}\n"
    + ((stack1 = lookupProperty(helpers,"each").call(alias1,lookupProperty(depth0,"handlers"),{"name":"each","hash":{},"fn":container.program(4, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":25,"column":0},"end":{"line":32,"column":9}}})) != null ? stack1 : "");
},"2":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=depth0 != null ? depth0 : (container.nullContext || {}), alias2=container.strict, alias3=container.lambda, lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return ((stack1 = lookupProperty(helpers,"doc").call(alias1,lookupProperty(depth0,"docs"),2,{"name":"doc","hash":{},"data":data,"loc":{"start":{"line":19,"column":0},"end":{"line":19,"column":14}}})) != null ? stack1 : "")
    + "  "
    + ((stack1 = lookupProperty(helpers,"prop").call(alias1,lookupProperty(depth0,"name"),{"name":"prop","hash":{},"data":data,"loc":{"start":{"line":19,"column":16},"end":{"line":19,"column":29}}})) != null ? stack1 : "")
    + "(call: "
    + ((stack1 = alias3(alias2(lookupProperty(depth0,"call"), "name", {"start":{"line":19,"column":38},"end":{"line":19,"column":47}} ), depth0)) != null ? stack1 : "")
    + "<"
    + ((stack1 = alias3(alias2(lookupProperty(data,"root"), "context", {"start":{"line":19,"column":52},"end":{"line":19,"column":65}} ), depth0)) != null ? stack1 : "")
    + ">): "
    + ((stack1 = alias3(alias2(lookupProperty(lookupProperty(data,"root"),"runtime"), "answer", {"start":{"line":19,"column":73},"end":{"line":19,"column":93}} ), depth0)) != null ? stack1 : "")
    + "<"
    + ((stack1 = alias3(alias2(depth0, "answer", {"start":{"line":19,"column":98},"end":{"line":19,"column":104}} ), depth0)) != null ? stack1 : "")
    + ">\n";
},"3":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=container.strict, alias2=container.lambda, lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return "  readonly "
    + ((stack1 = lookupProperty(helpers,"prop").call(depth0 != null ? depth0 : (container.nullContext || {}),lookupProperty(depth0,"name"),{"name":"prop","hash":{},"data":data,"loc":{"start":{"line":22,"column":11},"end":{"line":22,"column":24}}})) != null ? stack1 : "")
    + ": "
    + ((stack1 = alias2(alias1(depth0, "type", {"start":{"line":22,"column":28},"end":{"line":22,"column":32}} ), depth0)) != null ? stack1 : "")
    + "<"
    + ((stack1 = alias2(alias1(lookupProperty(data,"root"), "context", {"start":{"line":22,"column":37},"end":{"line":22,"column":50}} ), depth0)) != null ? stack1 : "")
    + ">\n";
},"4":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=container.strict, alias2=container.lambda, lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return "\nexport type "
    + ((stack1 = alias2(alias1(lookupProperty(depth0,"call"), "name", {"start":{"line":27,"column":14},"end":{"line":27,"column":23}} ), depth0)) != null ? stack1 : "")
    + "<"
    + ((stack1 = alias2(alias1(lookupProperty(data,"root"), "context", {"start":{"line":27,"column":28},"end":{"line":27,"column":41}} ), depth0)) != null ? stack1 : "")
    + " = undefined> ="
    + ((stack1 = alias2(alias1(lookupProperty(depth0,"call"), "type", {"start":{"line":27,"column":60},"end":{"line":27,"column":69}} ), depth0)) != null ? stack1 : "")
    + ((stack1 = lookupProperty(helpers,"if").call(depth0 != null ? depth0 : (container.nullContext || {}),lookupProperty(lookupProperty(depth0,"call"),"members"),{"name":"if","hash":{},"fn":container.program(5, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":27,"column":71},"end":{"line":31,"column":8}}})) != null ? stack1 : "")
    + "\n";
},"5":function(container,depth0,helpers,partials,data) {
    var stack1, lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return " & {\n"
    + ((stack1 = lookupProperty(helpers,"each").call(depth0 != null ? depth0 : (container.nullContext || {}),lookupProperty(lookupProperty(depth0,"call"),"members"),{"name":"each","hash":{},"fn":container.program(6, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":28,"column":0},"end":{"line":30,"column":9}}})) != null ? stack1 : "")
    + "}";
},"6":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=container.strict, alias2=container.lambda;

  return "  readonly "
    + ((stack1 = alias2(alias1(depth0, "name", {"start":{"line":29,"column":13},"end":{"line":29,"column":17}} ), depth0)) != null ? stack1 : "")
    + ": "
    + ((stack1 = alias2(alias1(depth0, "type", {"start":{"line":29,"column":23},"end":{"line":29,"column":27}} ), depth0)) != null ? stack1 : "")
    + "\n";
},"7":function(container,depth0,helpers,partials,data) {
    var stack1, lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return "\n// What the calls of several handlers hold.\n"
    + ((stack1 = lookupProperty(helpers,"each").call(depth0 != null ? depth0 : (container.nullContext || {}),lookupProperty(depth0,"shapes"),{"name":"each","hash":{},"fn":container.program(8, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":37,"column":0},"end":{"line":44,"column":9}}})) != null ? stack1 : "");
},"8":function(container,depth0,helpers,partials,data) {
    var stack1, lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return "\nexport interface "
    + ((stack1 = container.lambda(container.strict(depth0, "head", {"start":{"line":39,"column":19},"end":{"line":39,"column":23}} ), depth0)) != null ? stack1 : "")
    + "\n"
    + ((stack1 = lookupProperty(helpers,"each").call(depth0 != null ? depth0 : (container.nullContext || {}),lookupProperty(depth0,"members"),{"name":"each","hash":{},"fn":container.program(6, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":40,"column":0},"end":{"line":42,"column":9}}})) != null ? stack1 : "")
    + "}\n";
},"9":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=depth0 != null ? depth0 : (container.nullContext || {}), alias2=container.strict, alias3=container.lambda, lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return "\n"
    + ((stack1 = lookupProperty(helpers,"doc").call(alias1,lookupProperty(depth0,"docs"),0,{"name":"doc","hash":{},"data":data,"loc":{"start":{"line":48,"column":0},"end":{"line":48,"column":14}}})) != null ? stack1 : "")
    + "export type "
    + ((stack1 = alias3(alias2(depth0, "name", {"start":{"line":48,"column":28},"end":{"line":48,"column":32}} ), depth0)) != null ? stack1 : "")
    + " ="
    + ((stack1 = alias3(alias2(depth0, "base", {"start":{"line":48,"column":38},"end":{"line":48,"column":42}} ), depth0)) != null ? stack1 : "")
    + ((stack1 = lookupProperty(helpers,"if").call(alias1,lookupProperty(depth0,"relations"),{"name":"if","hash":{},"fn":container.program(10, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":48,"column":44},"end":{"line":52,"column":8}}})) != null ? stack1 : "")
    + "\n";
},"10":function(container,depth0,helpers,partials,data) {
    var stack1, lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return " & {\n"
    + ((stack1 = lookupProperty(helpers,"each").call(depth0 != null ? depth0 : (container.nullContext || {}),lookupProperty(depth0,"relations"),{"name":"each","hash":{},"fn":container.program(11, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":49,"column":0},"end":{"line":51,"column":9}}})) != null ? stack1 : "")
    + "}";
},"11":function(container,depth0,helpers,partials,data) {
    var stack1, lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return "  readonly "
    + ((stack1 = lookupProperty(helpers,"prop").call(depth0 != null ? depth0 : (container.nullContext || {}),lookupProperty(depth0,"name"),{"name":"prop","hash":{},"data":data,"loc":{"start":{"line":50,"column":11},"end":{"line":50,"column":24}}})) != null ? stack1 : "")
    + "?: "
    + ((stack1 = container.lambda(container.strict(depth0, "type", {"start":{"line":50,"column":29},"end":{"line":50,"column":33}} ), depth0)) != null ? stack1 : "")
    + "\n";
},"compiler":[8,">= 4.3.0"],"main":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=container.strict, alias2=container.lambda, alias3=depth0 != null ? depth0 : (container.nullContext || {}), lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return ((stack1 = alias2(alias1(depth0, "header", {"start":{"line":1,"column":2},"end":{"line":1,"column":8}} ), depth0)) != null ? stack1 : "")
    + "\n\n"
    + ((stack1 = lookupProperty(helpers,"each").call(alias3,lookupProperty(depth0,"imports"),{"name":"each","hash":{},"fn":container.program(0, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":3,"column":0},"end":{"line":5,"column":9}}})) != null ? stack1 : "")
    + "\nexport { "
    + ((stack1 = alias2(alias1(depth0, "notImplemented", {"start":{"line":7,"column":11},"end":{"line":7,"column":25}} ), depth0)) != null ? stack1 : "")
    + " } from "
    + ((stack1 = lookupProperty(helpers,"str").call(alias3,lookupProperty(depth0,"notImplementedModule"),{"name":"str","hash":{},"data":data,"loc":{"start":{"line":7,"column":35},"end":{"line":7,"column":63}}})) != null ? stack1 : "")
    + "\n\n"
    + ((stack1 = lookupProperty(helpers,"doc").call(alias3,lookupProperty(depth0,"createDocs"),0,{"name":"doc","hash":{},"data":data,"loc":{"start":{"line":9,"column":0},"end":{"line":9,"column":20}}})) != null ? stack1 : "")
    + "export function "
    + ((stack1 = alias2(alias1(depth0, "create", {"start":{"line":9,"column":38},"end":{"line":9,"column":44}} ), depth0)) != null ? stack1 : "")
    + "<"
    + ((stack1 = alias2(alias1(lookupProperty(data,"root"), "context", {"start":{"line":9,"column":49},"end":{"line":9,"column":62}} ), depth0)) != null ? stack1 : "")
    + " = undefined>(\n  handlers: "
    + ((stack1 = alias2(alias1(lookupProperty(depth0,"runtime"), "unfinished", {"start":{"line":10,"column":14},"end":{"line":10,"column":32}} ), depth0)) != null ? stack1 : "")
    + "<"
    + ((stack1 = alias2(alias1(depth0, "handlers", {"start":{"line":10,"column":37},"end":{"line":10,"column":45}} ), depth0)) != null ? stack1 : "")
    + "<"
    + ((stack1 = alias2(alias1(lookupProperty(data,"root"), "context", {"start":{"line":10,"column":50},"end":{"line":10,"column":63}} ), depth0)) != null ? stack1 : "")
    + ">>,\n  options: "
    + ((stack1 = alias2(alias1(depth0, "options", {"start":{"line":11,"column":13},"end":{"line":11,"column":20}} ), depth0)) != null ? stack1 : "")
    + ",\n): "
    + ((stack1 = alias2(alias1(lookupProperty(depth0,"runtime"), "service", {"start":{"line":12,"column":5},"end":{"line":12,"column":20}} ), depth0)) != null ? stack1 : "")
    + " {\n  return "
    + ((stack1 = alias2(alias1(lookupProperty(depth0,"runtime"), "createService", {"start":{"line":13,"column":11},"end":{"line":13,"column":32}} ), depth0)) != null ? stack1 : "")
    + "("
    + ((stack1 = alias2(alias1(depth0, "serviceTable", {"start":{"line":13,"column":37},"end":{"line":13,"column":49}} ), depth0)) != null ? stack1 : "")
    + ", "
    + ((stack1 = alias2(alias1(lookupProperty(depth0,"runtime"), "handlersByName", {"start":{"line":13,"column":55},"end":{"line":13,"column":77}} ), depth0)) != null ? stack1 : "")
    + "(handlers), options)\n}\n"
    + ((stack1 = lookupProperty(helpers,"each").call(alias3,lookupProperty(depth0,"groups"),{"name":"each","hash":{},"fn":container.program(1, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":15,"column":0},"end":{"line":33,"column":9}}})) != null ? stack1 : "")
    + ((stack1 = lookupProperty(helpers,"if").call(alias3,lookupProperty(depth0,"shapes"),{"name":"if","hash":{},"fn":container.program(7, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":34,"column":0},"end":{"line":45,"column":7}}})) != null ? stack1 : "")
    + ((stack1 = lookupProperty(helpers,"each").call(alias3,lookupProperty(depth0,"rows"),{"name":"each","hash":{},"fn":container.program(9, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":46,"column":0},"end":{"line":53,"column":9}}})) != null ? stack1 : "");
},"useData":true},
  'service-table': {"0":function(container,depth0,helpers,partials,data) {
    var stack1;

  return ((stack1 = container.lambda(depth0, depth0)) != null ? stack1 : "")
    + "\n";
},"compiler":[8,">= 4.3.0"],"main":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=container.strict, alias2=container.lambda, alias3=depth0 != null ? depth0 : (container.nullContext || {}), lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return ((stack1 = alias2(alias1(depth0, "header", {"start":{"line":1,"column":2},"end":{"line":1,"column":8}} ), depth0)) != null ? stack1 : "")
    + "\n\n"
    + ((stack1 = lookupProperty(helpers,"each").call(alias3,lookupProperty(depth0,"imports"),{"name":"each","hash":{},"fn":container.program(0, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":3,"column":0},"end":{"line":5,"column":9}}})) != null ? stack1 : "")
    + "\n"
    + ((stack1 = lookupProperty(helpers,"doc").call(alias3,lookupProperty(depth0,"docs"),0,{"name":"doc","hash":{},"data":data,"loc":{"start":{"line":7,"column":0},"end":{"line":7,"column":14}}})) != null ? stack1 : "")
    + "export const serviceTable: "
    + ((stack1 = alias2(alias1(depth0, "tableType", {"start":{"line":7,"column":43},"end":{"line":7,"column":52}} ), depth0)) != null ? stack1 : "")
    + " = "
    + ((stack1 = alias2(alias1(depth0, "read", {"start":{"line":7,"column":59},"end":{"line":7,"column":63}} ), depth0)) != null ? stack1 : "")
    + "("
    + ((stack1 = alias2(alias1(depth0, "text", {"start":{"line":7,"column":68},"end":{"line":7,"column":72}} ), depth0)) != null ? stack1 : "")
    + ")\n";
},"useData":true},
  'types': {"0":function(container,depth0,helpers,partials,data) {
    return "\n/** A member of `T`, or one that the service has got since. */\nexport type OpenEnum<T extends string> = T | (string & {})\n";
},"1":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=depth0 != null ? depth0 : (container.nullContext || {}), alias2=container.strict, alias3=container.lambda, lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return "\n"
    + ((stack1 = lookupProperty(helpers,"doc").call(alias1,lookupProperty(depth0,"docs"),0,{"name":"doc","hash":{},"data":data,"loc":{"start":{"line":9,"column":0},"end":{"line":9,"column":14}}})) != null ? stack1 : "")
    + "export interface "
    + ((stack1 = alias3(alias2(depth0, "name", {"start":{"line":9,"column":33},"end":{"line":9,"column":37}} ), depth0)) != null ? stack1 : "")
    + ((stack1 = alias3(alias2(depth0, "extends", {"start":{"line":9,"column":41},"end":{"line":9,"column":48}} ), depth0)) != null ? stack1 : "")
    + " "
    + ((stack1 = lookupProperty(helpers,"if").call(alias1,lookupProperty(depth0,"members"),{"name":"if","hash":{},"fn":container.program(2, data, 0),"inverse":container.program(4, data, 0),"data":data,"loc":{"start":{"line":9,"column":51},"end":{"line":13,"column":18}}})) != null ? stack1 : "")
    + "\n";
},"2":function(container,depth0,helpers,partials,data) {
    var stack1, lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return "{\n"
    + ((stack1 = lookupProperty(helpers,"each").call(depth0 != null ? depth0 : (container.nullContext || {}),lookupProperty(depth0,"members"),{"name":"each","hash":{},"fn":container.program(3, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":10,"column":0},"end":{"line":12,"column":9}}})) != null ? stack1 : "")
    + "}";
},"3":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=container.strict, alias2=container.lambda, lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return ((stack1 = lookupProperty(helpers,"doc").call(depth0 != null ? depth0 : (container.nullContext || {}),lookupProperty(depth0,"docs"),2,{"name":"doc","hash":{},"data":data,"loc":{"start":{"line":11,"column":0},"end":{"line":11,"column":14}}})) != null ? stack1 : "")
    + "  readonly "
    + ((stack1 = alias2(alias1(depth0, "key", {"start":{"line":11,"column":27},"end":{"line":11,"column":30}} ), depth0)) != null ? stack1 : "")
    + ((stack1 = alias2(alias1(depth0, "optional", {"start":{"line":11,"column":34},"end":{"line":11,"column":42}} ), depth0)) != null ? stack1 : "")
    + ": "
    + ((stack1 = alias2(alias1(depth0, "type", {"start":{"line":11,"column":48},"end":{"line":11,"column":52}} ), depth0)) != null ? stack1 : "")
    + "\n";
},"4":function(container,depth0,helpers,partials,data) {
    return "{}";
},"5":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=depth0 != null ? depth0 : (container.nullContext || {}), alias2=container.strict, alias3=container.lambda, lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return "\n"
    + ((stack1 = lookupProperty(helpers,"doc").call(alias1,lookupProperty(depth0,"docs"),0,{"name":"doc","hash":{},"data":data,"loc":{"start":{"line":17,"column":0},"end":{"line":17,"column":14}}})) != null ? stack1 : "")
    + "export const "
    + ((stack1 = alias3(alias2(depth0, "name", {"start":{"line":17,"column":29},"end":{"line":17,"column":33}} ), depth0)) != null ? stack1 : "")
    + " = "
    + ((stack1 = lookupProperty(helpers,"if").call(alias1,lookupProperty(depth0,"members"),{"name":"if","hash":{},"fn":container.program(6, data, 0),"inverse":container.program(4, data, 0),"data":data,"loc":{"start":{"line":17,"column":38},"end":{"line":21,"column":18}}})) != null ? stack1 : "")
    + " as const\nexport type "
    + ((stack1 = alias3(alias2(depth0, "name", {"start":{"line":22,"column":14},"end":{"line":22,"column":18}} ), depth0)) != null ? stack1 : "")
    + " = (typeof "
    + ((stack1 = alias3(alias2(depth0, "name", {"start":{"line":22,"column":33},"end":{"line":22,"column":37}} ), depth0)) != null ? stack1 : "")
    + ")[keyof typeof "
    + ((stack1 = alias3(alias2(depth0, "name", {"start":{"line":22,"column":56},"end":{"line":22,"column":60}} ), depth0)) != null ? stack1 : "")
    + "]\n";
},"6":function(container,depth0,helpers,partials,data) {
    var stack1, lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return "{\n"
    + ((stack1 = lookupProperty(helpers,"each").call(depth0 != null ? depth0 : (container.nullContext || {}),lookupProperty(depth0,"members"),{"name":"each","hash":{},"fn":container.program(7, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":18,"column":0},"end":{"line":20,"column":9}}})) != null ? stack1 : "")
    + "}";
},"7":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=depth0 != null ? depth0 : (container.nullContext || {}), lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return ((stack1 = lookupProperty(helpers,"doc").call(alias1,lookupProperty(depth0,"docs"),2,{"name":"doc","hash":{},"data":data,"loc":{"start":{"line":19,"column":0},"end":{"line":19,"column":14}}})) != null ? stack1 : "")
    + "  "
    + ((stack1 = lookupProperty(helpers,"prop").call(alias1,lookupProperty(depth0,"name"),{"name":"prop","hash":{},"data":data,"loc":{"start":{"line":19,"column":16},"end":{"line":19,"column":29}}})) != null ? stack1 : "")
    + ": "
    + ((stack1 = lookupProperty(helpers,"str").call(alias1,lookupProperty(depth0,"name"),{"name":"str","hash":{},"data":data,"loc":{"start":{"line":19,"column":31},"end":{"line":19,"column":43}}})) != null ? stack1 : "")
    + ",\n";
},"8":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=container.strict, alias2=container.lambda, lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return "\n"
    + ((stack1 = lookupProperty(helpers,"doc").call(depth0 != null ? depth0 : (container.nullContext || {}),lookupProperty(depth0,"docs"),0,{"name":"doc","hash":{},"data":data,"loc":{"start":{"line":26,"column":0},"end":{"line":26,"column":14}}})) != null ? stack1 : "")
    + "export type "
    + ((stack1 = alias2(alias1(depth0, "name", {"start":{"line":26,"column":28},"end":{"line":26,"column":32}} ), depth0)) != null ? stack1 : "")
    + " = "
    + ((stack1 = alias2(alias1(depth0, "type", {"start":{"line":26,"column":39},"end":{"line":26,"column":43}} ), depth0)) != null ? stack1 : "")
    + "\n";
},"compiler":[8,">= 4.3.0"],"main":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=depth0 != null ? depth0 : (container.nullContext || {}), lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return ((stack1 = container.lambda(container.strict(depth0, "header", {"start":{"line":1,"column":2},"end":{"line":1,"column":8}} ), depth0)) != null ? stack1 : "")
    + "\n"
    + ((stack1 = lookupProperty(helpers,"if").call(alias1,lookupProperty(depth0,"openEnum"),{"name":"if","hash":{},"fn":container.program(0, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":2,"column":0},"end":{"line":6,"column":7}}})) != null ? stack1 : "")
    + ((stack1 = lookupProperty(helpers,"each").call(alias1,lookupProperty(depth0,"interfaces"),{"name":"each","hash":{},"fn":container.program(1, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":7,"column":0},"end":{"line":14,"column":9}}})) != null ? stack1 : "")
    + ((stack1 = lookupProperty(helpers,"each").call(alias1,lookupProperty(depth0,"enumerations"),{"name":"each","hash":{},"fn":container.program(5, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":15,"column":0},"end":{"line":23,"column":9}}})) != null ? stack1 : "")
    + ((stack1 = lookupProperty(helpers,"each").call(alias1,lookupProperty(depth0,"definitions"),{"name":"each","hash":{},"fn":container.program(8, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":24,"column":0},"end":{"line":27,"column":9}}})) != null ? stack1 : "");
},"useData":true},
}
